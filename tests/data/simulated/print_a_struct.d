/* print() shows an object as C would initialize it: what is zero left out, text up to its NUL, the tags of enums. */
#pragma D option quiet

enum colour { RED = 1, GREEN = 2 };
struct thing {
	int number;
	char name[6];
	struct {
		uint64_t big;
		int8_t zero;
	} inner;
	enum colour colour;
	short list[3];
	uint32_t low : 4, high : 4;
	void *where;
};

syscall::read:entry
{
	print((struct thing *)0x4000);
}

syscall::write:entry
{
	setopt("printsize", "24");
	print((struct thing *)0x4000);
}
@@memory kernel 0x4000 words 0x00006261fffffffb 0 0x2dfdc1c35 0 0xfffe000000000002 0x0000000000900000 0x1234
@@fire syscall::read:entry
@@fire syscall::write:entry
@@expect
0x4000 = *
                                            (struct thing) {
                                             .number = (int)-5,
                                             .name = (char [6]) [
                                              (char)'a',
                                              (char)'b',
                                             ],
                                             .inner = (struct) {
                                              .big = (uint64_t)12345678901,
                                             },
                                             .colour = (enum colour)GREEN,
                                             .list = (short [3]) [
                                              (short)-2,
                                             ],
                                             .high = (uint32_t)9,
                                             .where = (void *)0x1234,
                                            }
0x4000 = *
                                            (struct thing) {
                                             .number = (int)-5,
                                             .name = (char [6]) [
                                              (char)'a',
                                              (char)'b',
                                             ],
                                             .inner = (struct) {
                                              .big = (uint64_t)12345678901,
                                             ...
                                             },
                                            }

