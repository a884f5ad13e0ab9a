/* json() takes a value out of a text by its path; what is no JSON up to there, or has no such value, gives NULL. */
#pragma D option quiet

string names[int];

syscall::write:entry
{
	this->s = copyinstr(arg1);
	printf("%s %s ", json(this->s, "level"), json(this->s, "req.headers[1].name"));
	printf("%s %s\n", json(this->s, "req.headers.0"), json(this->s, "msg"));
	printf("%d %s\n", strlen(json(this->s, "none")), json(json(this->s, "req"), "headers[0]"));
}

syscall::write:entry
/(names[0] = json(copyinstr(arg1), "level")) == "30"/
{
	printf("%s %s\n", names[0], json(stringof("{\"syscall\": 1}"), probeprov));
}

syscall::read:entry
{
	this->v = json(copyinstr(arg1), "a.1");
	printf("%s ", this->v == NULL ? "none" : this->v);
}

syscall::exit:entry
{
	printf("%s", json("{\"a\": 1}", "b"));
}

ERROR
{
	printf("error %d\n", arg4);
}
@@memory user 0x1000 "{\"level\": 30, \"x\": [{}, [\"]\\\"}\"]], \"req\" : { \"headers\" :[ {\"name\":\"a b\"},{\"name\":\"c\"} ]}, \"msg\":\"say \\\"\\u0041\\\"\", \"none\":\"\"}"
@@fire syscall::write:entry arg1=0x1000
@@memory user 0x2000 "{\"a\": [0, 1]}"
@@memory user 0x2100 " {\"a\": {\"1\": [[[[[[[[[[{}]]]]]]]]]], \"2\": 2}}"
@@memory user 0x2200 "{\"aa\": 7, \"\": 8, \"a\": {\"11\": 9, \"1\": false }}"
@@memory user 0x2300 "{\"a\": [0, 1"
@@memory user 0x2400 "{\"a\": [0, +1]}"
@@memory user 0x2500 "{\"a\": [0x1, 1]}"
@@memory user 0x2600 "{\"a\": [nil, 1]}"
@@memory user 0x2700 "{\"a\": [\"\\u00g0\", 1]}"
@@memory user 0x2800 "{\"a\": [[}], 1]}"
@@memory user 0x2900 "{\"a\" [0, 1]}"
@@memory user 0x2a00 "{\"a\": [0 1]}"
@@memory user 0x2b00 "{\"a\": \"1\"}"
@@memory user 0x2c00 "\"a\""
@@memory user 0x2d00 ""
@@memory user 0x2e00 "{\"a\": [0, 1.5E+3 , x"
@@fire syscall::read:entry arg1=0x2000
@@fire syscall::read:entry arg1=0x2100
@@fire syscall::read:entry arg1=0x2200
@@fire syscall::read:entry arg1=0x2300
@@fire syscall::read:entry arg1=0x2400
@@fire syscall::read:entry arg1=0x2500
@@fire syscall::read:entry arg1=0x2600
@@fire syscall::read:entry arg1=0x2700
@@fire syscall::read:entry arg1=0x2800
@@fire syscall::read:entry arg1=0x2900
@@fire syscall::read:entry arg1=0x2a00
@@fire syscall::read:entry arg1=0x2b00
@@fire syscall::read:entry arg1=0x2c00
@@fire syscall::read:entry arg1=0x2d00
@@fire syscall::read:entry arg1=0x2e00
@@fire syscall::exit:entry
@@expect
30 c {"name":"a b"} say \"\u0041\"
0 {"name":"a b"}
30 1
1 [[[[[[[[[[{}]]]]]]]]]] false none none none none none none none none none none none 1.5E+3 error 1

