provider testprov {
	probe foo();
	probe bar(int, int, int);
};
