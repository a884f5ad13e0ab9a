/*
 * Which parts of a file does a program read and write, by megabytes? Arguments: the program's name, the file's.
 *
 *   dscope -s examples/where-in-file.d soffice.bin applicat.rdb --export histogram=where.svg
 */
io:::start
/execname == $$1 && args[2]->fi_name == $$2/
{
	@ = lquantize(args[2]->fi_offset != -1 ?
	    args[2]->fi_offset / (1000 * 1024) : -1, 0, 1000);
}
