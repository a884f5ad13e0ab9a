#include "words.h"
#include <stdlib.h>
#include <string.h>
void list_add(struct list *list, const char *item)
{
	list->items = realloc(list->items, sizeof *list->items * (size_t)(list->count + 1));
	list->items[list->count++] = strdup(item);
}
