provider test_prov {
	probe place(int i, int j) : (int j, int i, int i, int j);
	probe place2(int i, char *j) : (char *j, int i, int i, char *j);
};
