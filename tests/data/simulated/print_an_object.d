/* illumos' print() takes an object; it is shown as a pointer to it shows it. */
#pragma D option quiet

struct inner {
	int big;
	short list[2];
};
struct thing {
	int number;
	struct inner inner;
};

syscall::read:entry
{
	print(*(struct thing *)0x4000);
	print(((struct thing *)0x4000)->inner);
	print(((struct thing *)0x4000)->number);
}
@@memory kernel 0x4000 words 0x00000007fffffffb 0x0000000000020001
@@fire syscall::read:entry
@@expect
0x4000 = *
                                            (struct thing) {
                                             .number = (int)-5,
                                             .inner = (struct inner) {
                                              .big = (int)7,
                                              .list = (short [2]) [
                                               (short)1,
                                               (short)2,
                                              ],
                                             },
                                            }
0x4004 = *
                                            (struct inner) {
                                             .big = (int)7,
                                             .list = (short [2]) [
                                              (short)1,
                                              (short)2,
                                             ],
                                            }
0x4000 = *
                                            (int)-5

