/* This file is generated, do not edit. */
provider machine {

probe machine_memalign(size_t alignment,size_t size,void * ptr);

probe visit_bool(void * v,const char * name,bool * obj);

probe event_queue(uint32_t event,void * qdict,uint64_t rate);

probe answer(ssize_t ret,int8_t small,uint8_t unsigned_small,intptr_t where,off_t at,unsigned long long much,bool isRight);

probe blk_attach();

};
