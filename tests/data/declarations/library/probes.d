provider basis {
	probe mem__alloc(void*, unsigned int, unsigned int, unsigned int);
	probe quark__new(const char *, unsigned int);
	probe main__after_prepare(void*, void*, unsigned int);
	probe timeout__add(void*, void*, unsigned int, int, unsigned int, void*, void*);
	probe source__new(void*, void*, void*, void*, void*, size_t);
        probe type__new(void*, unsigned long, unsigned long);
};
provider objects {
	probe signal__emit(unsigned int, unsigned int, void *, unsigned long);
};
