typedef struct ipinfo {
    uint8_t ip_ver;           /* IP version (4, 6)      */
    uint16_t ip_plength;     /* payload length        */
    string ip_saddr;         /* source address        */
    string ip_daddr;         /* destination address   */
} ipinfo_t;

typedef struct ipv4info {
    uint8_t ipv4_protocol;   /* next level protocol   */
    string ipv4_protostr;    /* same as a string      */
    ipaddr_t ipv4_src;       /* source address        */
    ipaddr_t ipv4_dst;       /* destination address   */
    string ipv4_saddr;       /* src address, string   */
    string ipv4_daddr;       /* dest address, string  */
} ipv4info_t;
