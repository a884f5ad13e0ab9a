/* A small program with a shape worth seeing: it parses, sorts and hashes made-up log lines, three parts to one. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LINES 4000
#define NOINLINE __attribute__((noinline))

static char lines[LINES][64];
static volatile uint64_t sink;

static NOINLINE uint64_t mix(uint64_t h)
{
	for (int i = 0; i < 12; i++)
		h = (h ^ (h >> 31)) * 0x9e3779b97f4a7c15u;
	return h + 1;
}
static NOINLINE uint64_t hash_line(const char *line)
{
	uint64_t h = 14695981039346656037u;
	for (; *line; line++)
		h = mix(h ^ (unsigned char)*line);
	return h + 1;
}
static NOINLINE int compare_lines(const void *a, const void *b)
{
	return strcmp(a, b);
}
static NOINLINE void sort_lines(void)
{
	qsort(lines, LINES, sizeof lines[0], compare_lines);
	sink += (uint64_t)lines[0][0];
}
static NOINLINE int parse_field(const char *line)
{
	return atoi(line + 5);
}
static NOINLINE void make_lines(unsigned seed)
{
	for (int i = 0; i < LINES; i++) {
		seed = seed * 1103515245u + 12345u;
		snprintf(lines[i], sizeof lines[i], "host-%u request %u", seed >> 16 & 1023, seed);
	}
	sink += (uint64_t)lines[1][1];
}
static NOINLINE void parse_lines(void)
{
	uint64_t sum = 0;
	for (int i = 0; i < LINES; i++)
		sum += (uint64_t)parse_field(lines[i]);
	sink += sum;
}
static NOINLINE void hash_lines(void)
{
	uint64_t sum = 0;
	for (int i = 0; i < LINES; i++)
		sum += hash_line(lines[i]);
	sink += sum;
}
static NOINLINE void report(unsigned round)
{
	make_lines(round);
	parse_lines();
	hash_lines();
	sort_lines();
	sink += 1;
}
int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 2;
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	for (unsigned round = 1; clock() < end; round++)
		report(round);
	return 0;
}
