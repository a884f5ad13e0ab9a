provider prova {
	probe entrya();
};
provider provb {
	probe entryb();
	probe entryc(char *, int);
};
provider provc {
	probe entryd();
};
