BEGIN
{
	x = 1 + 2 * 3 - 4 / 5 % 6;
	x = (1 + 2) * (3 - 4) / (5 % 6);
	x = 1 << 2 >> 3 < 4 > 5 <= 6 >= 7 == 8 != 9 & 10 ^ 11 | 12 && 13 ^^ 14 || 15;
	x = a ? b : c ? d : e;
	x = (a ? b : c) ? d : e;
	x = y = z += 1;
	x += 1; x -= 1; x *= 2; x /= 2; x %= 2; x <<= 1; x >>= 1; x &= 1; x ^= 1; x |= 1;
	++x; --x; x++; x--;
	x = -1 + +1 - -1 + - -1;
	x = !a + ~b + *p + &q;
	x = a & &q;
	x = a - --b + ++c;
	x = *p++ + (*p)++;
	x = 0x1F + 017 + 10UL + 10ull + 0 + 'a' + '\n' + '\'' + '\\' + '\0' + '\x41' + '\101' + 'abcd';
	x = "a\tb\"c\\d\101\x41\0" " and " "more";
	x = sizeof (int) + sizeof (struct task_struct) + sizeof (char *) + sizeof x + sizeof (x) + sizeof (x)->y + sizeof (uint64_t[4]);
	x = offsetof(struct task_struct, pid) + offsetof(node_t, value.number);
	x = stringof(p) == stringof p && stringof (p->name) != "";
	x = (int)y + (unsigned char)y + (struct task_struct *)y + (uint64_t)y + (string)y + (void *)y;
	x = (int)(y) + (int)-y + (uint64_t)-1 + (uint64_t)(y + 1) + (char)~y;
	x = (vnode_t *)arg0 + ((struct vnode *)arg0)->v_path + (unknown)arg0 + (unknown *)(arg0);
	x = (x) + (y) - (z) * (w);
	x = (int (*)(int))y + (char (*)[3])y;
	x = xlate <psinfo_t> (curthread).pr_pid + xlate <psinfo_t *> (curthread)->pr_pid;
	x = args[0]->a.b->c[1][2].d;
	x = this->a + self->b + this->c[1] + self->d[1, "two"] + `jiffies + vmlinux`jiffies + 8021q`count;
	x = tuple[1, execname, (int)y, stringof(p)];
	@ = count();
	@[pid] = sum(arg0);
	@name = lquantize(arg0, 0, 100, 10);
	@name[execname, ustack(5), probefunc] = llquantize(arg0, 10, 0, 6, 20);
	printf("%d %s\n", x, "text");
	printa("%@d\n", @name);
	x, y, z;
	(x, y);
	trace((a, b));
	curpsinfo->pr_psargs;
	x = p->string + p->int + p->self;
	if (x) { y = 1; } else { y = 2 }
	if (x == 1) y = 1; else if (x == 2) y = 2; else { y = 3; z = 4; }
	if (x) ;
	this int seen;
	self string where, there;
	;;
}
