#include "words.h"
#include <string.h>
int table_count(const struct list *list, const char *item)
{
	int n = 0;
	for (int i = 0; i < list->count; i++)
		n += strcmp(list->items[i], item) == 0;
	return n;
}
