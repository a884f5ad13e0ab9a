// Everything that leaves functions by other ways than their callers expect: exceptions, longjmp, contexts, cancelled
// threads, signals, vfork, libraries that come and go. Prints what each came to; the sums never vary.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace {
constexpr int kRounds = 50;

__attribute__((noinline)) int mayThrow(int n)
{
    if (n % 3 == 0) throw std::runtime_error("thrown " + std::to_string(n));
    return n;
}
__attribute__((noinline)) int deeper(int n, int depth)
{
    const std::string keepsTheFrame(static_cast<std::size_t>(depth) + 1, 'x');
    return depth == 0 ? mayThrow(n) : deeper(n, depth - 1) + static_cast<int>(keepsTheFrame.size()) * 0;
}
int exceptions()
{
    int caught = 0;
    for (int i = 0; i < kRounds; ++i)
        try {
            deeper(i, i % 7);
        } catch (const std::exception& e) {
            caught += static_cast<int>(std::strlen(e.what()));
        }
    return caught;
}

int g_round = 0; ///< lives through the jumps
jmp_buf g_back;
sigjmp_buf g_backWithMask;
__attribute__((noinline)) void jumps(int n) { std::longjmp(g_back, n + 1); }
int longJumps()
{
    volatile int sum = 0;
    for (g_round = 0; g_round < kRounds; ++g_round)
        if (const int value = setjmp(g_back))
            sum = sum + value;
        else
            jumps(g_round);
    return sum;
}
void jumpOut(int) { siglongjmp(g_backWithMask, 1); }
int signalJumps()
{
    volatile int sum = 0;
    struct sigaction action { };
    action.sa_handler = jumpOut;
    sigaction(SIGUSR1, &action, nullptr);
    for (g_round = 0; g_round < kRounds; ++g_round)
        if (sigsetjmp(g_backWithMask, 1))
            sum = sum + 1;
        else
            raise(SIGUSR1);
    return sum;
}

ucontext_t g_main, g_other;
int g_switches = 0;
void other()
{
    for (;;) {
        ++g_switches;
        swapcontext(&g_other, &g_main);
    }
}
int contexts()
{
    static char stack[64 * 1024];
    getcontext(&g_other);
    g_other.uc_stack.ss_sp = stack;
    g_other.uc_stack.ss_size = sizeof stack;
    makecontext(&g_other, other, 0);
    for (int i = 0; i < kRounds; ++i)
        swapcontext(&g_main, &g_other);
    return g_switches;
}

int g_cleaned = 0;
void clean(void*) { __atomic_add_fetch(&g_cleaned, 1, __ATOMIC_SEQ_CST); }
void* waits(void*)
{
    pthread_cleanup_push(clean, nullptr);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return nullptr;
}
void* counts(void* into)
{
    std::vector<std::string> words;
    for (int i = 0; i < kRounds; ++i)
        words.push_back(std::to_string(i));
    for (const auto& w : words)
        *static_cast<long*>(into) += static_cast<long>(w.size());
    pthread_exit(nullptr);
}
int threads()
{
    long sums[4] = {};
    pthread_t working[4], waiting[4];
    for (int i = 0; i < 4; ++i) {
        pthread_create(&working[i], nullptr, counts, &sums[i]);
        pthread_create(&waiting[i], nullptr, waits, nullptr);
    }
    long sum = 0;
    for (int i = 0; i < 4; ++i) {
        pthread_join(working[i], nullptr);
        pthread_cancel(waiting[i]);
        pthread_join(waiting[i], nullptr);
        sum += sums[i];
    }
    return static_cast<int>(sum) + g_cleaned;
}

int children()
{
    static int sum, i; // a child of vfork() shares our stack
    for (sum = i = 0; i < 5; ++i) {
        const pid_t child = i % 2 ? vfork() : fork();
        if (child == 0) {
            if (i % 2) execl("/bin/true", "true", nullptr);
            _exit(i + 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        sum += WEXITSTATUS(status);
    }
    return sum;
}
int libraries()
{
    int sum = 0;
    for (int i = 0; i < 3; ++i)
        if (void* handle = dlopen("libm.so.6", RTLD_NOW)) {
            if (auto* root = reinterpret_cast<double (*)(double)>(dlsym(handle, "cbrt"))) sum += static_cast<int>(root(27.0) + 0.5);
            dlclose(handle);
        }
    return sum;
}
} // namespace

int main(int argc, char** argv)
{
    const int times = argc > 1 ? std::atoi(argv[1]) : 1;
    for (int i = 0; i < times; ++i) {
        g_switches = g_cleaned = 0;
        std::printf("exceptions %d jumps %d signals %d contexts %d threads %d children %d libraries %d\n", exceptions(), longJumps(),
            signalJumps(), contexts(), threads(), children(), libraries());
        std::fflush(stdout);
    }
    return 0;
}
