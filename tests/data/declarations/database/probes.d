/* Types by #define, which only cpp replaces; many arguments, some without any. */
#define ShopId unsigned int
#define Shelf int
#define bool unsigned char

provider larder {

	probe deal__start(ShopId);
	probe deal__done(ShopId);

	probe shelf__wait__start(unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, Shelf);

	probe order__parse__start(const char *);
	probe order__plan__start();

	probe sort__start(int, bool, int, int, bool, int);
	probe sort__done(bool, long);
	probe tin__read__done(Shelf, ShopId, ShopId, ShopId, ShopId, int, bool, bool, bool);
	probe log__insert(unsigned char, unsigned char);
};
