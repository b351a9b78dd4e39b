//! Answers of real clusters, as they were recorded.

/// `redis-7.0.15-migrating-source/cluster_nodes.txt`.
pub(crate) const MIGRATING: &str = concat!(
    "639cdc7081095ff757e39faeb1b2fb6fe9455276 127.0.0.1:17601@27601 master - 0 1795975781009 ",
    "2 connected 5461-10922\n",
    "355d0b141d4c8c1d403cfd05f7d182ce52d4e413 127.0.0.1:17600@27600 myself,master - 0 1795975",
    "779000 1 connected 0-5460 [1->-639cdc7081095ff757e39faeb1b2fb6fe9455276] [2->-639cdc7081",
    "095ff757e39faeb1b2fb6fe9455276] [93->-639cdc7081095ff757e39faeb1b2fb6fe9455276]\n",
    "dac1ce38fcb8193142425008242eb6340ed6b174 127.0.0.1:17602@27602 master - 0 1795975780607 ",
    "3 connected 10923-16383\n",
);

/// `valkey-9.1.2-3m3r/nodes.conf`.
pub(crate) const FILE: &str = concat!(
    "f030f581e6cdbfe44df33caafc6db4d5ef5676e2 127.0.0.1:17627@27627,,tls-port=0,shard-id=4fa9",
    "e6caec99730a2a84e20f47ab6ae7ea31142d master - 0 1795975844000 3 connected 10923-16383\n",
    "b23ea263c436b577f39021208109db58295a3795 127.0.0.1:17630@27630,,tls-port=0,shard-id=220b",
    "33fc9048feb253ae2e77823254472627979d slave 829ae8fd63a4ab62721e02ab1f4b446444d3b423 0 17",
    "95975844000 2 connected\n",
    "6c2d42aa8480fda40e0cfcf339eea02b8684b013 127.0.0.1:17629@27629,,tls-port=0,shard-id=57a8",
    "48bd4e6674cb4846cecb3726c2fe4b440a0e slave 967528476ee7d6658a2fbfb0ee9052ad6a2d054f 0 17",
    "95975844000 1 connected\n",
    "4d7da32f506116b8c3b51f6b89a1c5c720fd6f81 127.0.0.1:17628@27628,,tls-port=0,shard-id=4fa9",
    "e6caec99730a2a84e20f47ab6ae7ea31142d slave f030f581e6cdbfe44df33caafc6db4d5ef5676e2 0 17",
    "95975843165 3 connected\n",
    "829ae8fd63a4ab62721e02ab1f4b446444d3b423 127.0.0.1:17626@27626,,tls-port=0,shard-id=220b",
    "33fc9048feb253ae2e77823254472627979d master - 0 1795975844000 2 connected 5461-10922\n",
    "967528476ee7d6658a2fbfb0ee9052ad6a2d054f 127.0.0.1:17625@27625,,tls-port=0,shard-id=57a8",
    "48bd4e6674cb4846cecb3726c2fe4b440a0e myself,master - 0 0 1 connected 0-5460\n",
    "vars currentEpoch 6 lastVoteEpoch 0\n",
);

/// `redis-7.0.15-hostname/cluster_slots.cli.json`.
pub(crate) const SLOTS_JSON: &str = concat!(
    "[[0,5460,[\"node-0.cache.example.org\",17616,\"5972648892aae9179dcd8b61a47037611a13778a",
    "\",{\"ip\":\"127.0.0.1\"}]],[5461,10922,[\"node-1.cache.example.org\",17617,\"b1c65c8b8a",
    "83f58ecb98d0bc09d336e5a399a6ec\",{\"ip\":\"127.0.0.1\"}]],[10923,16383,[\"node-2.cache.e",
    "xample.org\",17618,\"03124de0a1863c8d0265dbf7cb19b45294d84efb\",{\"ip\":\"127.0.0.1\"}]]",
    "]\n",
);

/// `redis-7.0.15-hostname/cluster_slots.cli_raw.txt`.
pub(crate) const SLOTS_RAW: &str = concat!(
    "0\n5460\nnode-0.cache.example.org\n17616\n5972648892aae9179dcd8b61a47037611a13778a\nip\n",
    "127.0.0.1\n5461\n10922\nnode-1.cache.example.org\n17617\n",
    "b1c65c8b8a83f58ecb98d0bc09d336e5a399a6ec\nip\n127.0.0.1\n10923\n16383\n",
    "node-2.cache.example.org\n17618\n03124de0a1863c8d0265dbf7cb19b45294d84efb\nip\n",
    "127.0.0.1\n",
);

/// `redis-7.0.15-hostname/cluster_slots.cli_tty.txt`.
pub(crate) const SLOTS_TERMINAL: &str = concat!(
    "1) 1) (integer) 0\n   2) (integer) 5460\n   3) 1) \"node-0.cache.example.org\"\n",
    "      2) (integer) 17616\n      3) \"5972648892aae9179dcd8b61a47037611a13778a\"\n",
    "      4) 1) \"ip\"\n         2) \"127.0.0.1\"\n2) 1) (integer) 5461\n",
    "   2) (integer) 10922\n   3) 1) \"node-1.cache.example.org\"\n      2) (integer) 17617\n",
    "      3) \"b1c65c8b8a83f58ecb98d0bc09d336e5a399a6ec\"\n      4) 1) \"ip\"\n",
    "         2) \"127.0.0.1\"\n3) 1) (integer) 10923\n   2) (integer) 16383\n",
    "   3) 1) \"node-2.cache.example.org\"\n      2) (integer) 17618\n",
    "      3) \"03124de0a1863c8d0265dbf7cb19b45294d84efb\"\n      4) 1) \"ip\"\n",
    "         2) \"127.0.0.1\"\n",
);

/// `redis-7.0.15-hostname/cluster_slots.resp2`.
pub(crate) const SLOTS_RESP2: &str = concat!(
    "*3\r\n*3\r\n:0\r\n:5460\r\n*4\r\n$24\r\nnode-0.cache.example.org\r\n:17616\r\n$40\r\n",
    "5972648892aae9179dcd8b61a47037611a13778a\r\n*2\r\n$2\r\nip\r\n$9\r\n127.0.0.1\r\n*3\r\n",
    ":5461\r\n:10922\r\n*4\r\n$24\r\nnode-1.cache.example.org\r\n:17617\r\n$40\r\n",
    "b1c65c8b8a83f58ecb98d0bc09d336e5a399a6ec\r\n*2\r\n$2\r\nip\r\n$9\r\n127.0.0.1\r\n*3\r\n",
    ":10923\r\n:16383\r\n*4\r\n$24\r\nnode-2.cache.example.org\r\n:17618\r\n$40\r\n",
    "03124de0a1863c8d0265dbf7cb19b45294d84efb\r\n*2\r\n$2\r\nip\r\n$9\r\n127.0.0.1\r\n",
);

/// `redis-7.0.15-hostname/cluster_slots.resp3`.
pub(crate) const SLOTS_RESP3: &str = concat!(
    "*3\r\n*3\r\n:0\r\n:5460\r\n*4\r\n$24\r\nnode-0.cache.example.org\r\n:17616\r\n$40\r\n",
    "5972648892aae9179dcd8b61a47037611a13778a\r\n%1\r\n$2\r\nip\r\n$9\r\n127.0.0.1\r\n*3\r\n",
    ":5461\r\n:10922\r\n*4\r\n$24\r\nnode-1.cache.example.org\r\n:17617\r\n$40\r\n",
    "b1c65c8b8a83f58ecb98d0bc09d336e5a399a6ec\r\n%1\r\n$2\r\nip\r\n$9\r\n127.0.0.1\r\n*3\r\n",
    ":10923\r\n:16383\r\n*4\r\n$24\r\nnode-2.cache.example.org\r\n:17618\r\n$40\r\n",
    "03124de0a1863c8d0265dbf7cb19b45294d84efb\r\n%1\r\n$2\r\nip\r\n$9\r\n127.0.0.1\r\n",
);

/// `valkey-9.1.2-3m3r/cluster_shards.cli.json`.
pub(crate) const SHARDS_JSON: &str = concat!(
    "[{\"slots\":[0,5460],\"nodes\":[{\"id\":\"967528476ee7d6658a2fbfb0ee9052ad6a2d054f\",\"p",
    "ort\":17625,\"ip\":\"127.0.0.1\",\"endpoint\":\"127.0.0.1\",\"role\":\"master\",\"replic",
    "ation-offset\":0,\"health\":\"online\"},{\"id\":\"6c2d42aa8480fda40e0cfcf339eea02b8684b0",
    "13\",\"port\":17629,\"ip\":\"127.0.0.1\",\"endpoint\":\"127.0.0.1\",\"role\":\"replica\"",
    ",\"replication-offset\":0,\"health\":\"loading\"}],\"id\":\"57a848bd4e6674cb4846cecb3726",
    "c2fe4b440a0e\"},{\"slots\":[5461,10922],\"nodes\":[{\"id\":\"829ae8fd63a4ab62721e02ab1f4",
    "b446444d3b423\",\"port\":17626,\"ip\":\"127.0.0.1\",\"endpoint\":\"127.0.0.1\",\"role\":",
    "\"master\",\"replication-offset\":0,\"health\":\"online\"},{\"id\":\"b23ea263c436b577f39",
    "021208109db58295a3795\",\"port\":17630,\"ip\":\"127.0.0.1\",\"endpoint\":\"127.0.0.1\",",
    "\"role\":\"replica\",\"replication-offset\":0,\"health\":\"loading\"}],\"id\":\"220b33fc",
    "9048feb253ae2e77823254472627979d\"},{\"slots\":[10923,16383],\"nodes\":[{\"id\":\"f030f5",
    "81e6cdbfe44df33caafc6db4d5ef5676e2\",\"port\":17627,\"ip\":\"127.0.0.1\",\"endpoint\":\"",
    "127.0.0.1\",\"role\":\"master\",\"replication-offset\":0,\"health\":\"online\"},{\"id\":",
    "\"4d7da32f506116b8c3b51f6b89a1c5c720fd6f81\",\"port\":17628,\"ip\":\"127.0.0.1\",\"endpo",
    "int\":\"127.0.0.1\",\"role\":\"replica\",\"replication-offset\":0,\"health\":\"loading\"",
    "}],\"id\":\"4fa9e6caec99730a2a84e20f47ab6ae7ea31142d\"}]\n",
);

/// `redis-7.0.15-empty-master/cluster_shards.cli_raw.txt`.
pub(crate) const SHARDS_RAW: &str = concat!(
    "slots\n\nnodes\nid\neeb2e1bab12dfeda31ee75e5e2ed3aa3b7b299df\nport\n17606\nip\n",
    "127.0.0.1\nendpoint\n127.0.0.1\nrole\nmaster\nreplication-offset\n0\nhealth\nonline\n",
    "slots\n0\n5460\nnodes\nid\n116022e41e9c552d8301343d2f2605b77ead1a06\nport\n17603\nip\n",
    "127.0.0.1\nendpoint\n127.0.0.1\nrole\nmaster\nreplication-offset\n0\nhealth\nonline\n",
    "slots\n5461\n10922\nnodes\nid\n515309831d757aa3ae33654275094bc260e87ab3\nport\n17604\n",
    "ip\n127.0.0.1\nendpoint\n127.0.0.1\nrole\nmaster\nreplication-offset\n0\nhealth\n",
    "online\nslots\n10923\n16383\nnodes\nid\nc9c124c200a24e741dc92e39ee80736eccb1b212\nport\n",
    "17605\nip\n127.0.0.1\nendpoint\n127.0.0.1\nrole\nmaster\nreplication-offset\n0\nhealth\n",
    "online\n",
);
