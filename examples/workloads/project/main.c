#include "words.h"
#include <stdio.h>
int main(void)
{
	struct list list = {0, 0};
	words_read(&list);
	for (int i = 0; i < list.count; i++)
		printf("%s %d\n", list.items[i], table_count(&list, list.items[i]));
	return 0;
}
