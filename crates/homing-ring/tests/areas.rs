//! Replicas by area, against the answers of a server in `cassandra/replicas.jsonl` of the
//! vectors: the records `skewed-racks-vn4`.

use homing_core::{Attribute, Build, Members, Node, NodeId, NodeIndex};
use homing_ring::{Config, Points, Ring};

/// Each token with the node that has it.
const TOKENS: [(i64, usize); 20] = [
    (-8_266_848_354_430_668_202, 2),
    (-7_342_276_384_364_697_239, 3),
    (-6_329_975_792_576_927_172, 2),
    (-5_864_668_916_822_038_498, 4),
    (-4_629_161_420_259_339_403, 2),
    (-4_624_032_049_778_536_634, 3),
    (-4_511_243_184_718_316_474, 0),
    (-2_609_559_196_002_828_134, 0),
    (-2_364_995_089_329_352_457, 2),
    (-2_199_628_200_636_619_351, 3),
    (-1_694_313_968_266_667_357, 4),
    (554_137_530_599_832_993, 1),
    (2_804_489_806_378_827_306, 1),
    (3_513_124_226_084_228_664, 0),
    (4_264_586_827_708_199_834, 4),
    (5_090_537_039_564_311_516, 1),
    (6_278_314_744_523_580_144, 1),
    (6_299_765_331_246_476_267, 0),
    (6_778_423_892_786_912_290, 4),
    (6_796_619_034_484_074_659, 3),
];

/// Tokens in their order as positions.
fn position(token: i64) -> u64 {
    token.cast_unsigned() ^ 1 << 63
}

/// Three nodes on one rack, one on another, and one in another data centre.
fn nodes() -> Vec<Node> {
    let places = [("dc1", "r1"), ("dc1", "r1"), ("dc1", "r1"), ("dc1", "r2"), ("dc2", "rX")];
    let node = |(i, (area, rack))| {
        let node = Node::new(format!("n{i}")).with(Attribute::DataCentre, area);
        node.with(Attribute::Rack, rack)
    };
    places.into_iter().enumerate().map(node).collect()
}

fn ring(nodes: Vec<Node>) -> Ring {
    let points = TOKENS.map(|(token, node)| (position(token), NodeId::new(format!("n{node}"))));
    let config = Config { points: Points::Assigned(points.to_vec()), ..Config::default() };
    Ring::build(config, Members::new(nodes).unwrap()).unwrap()
}

fn replicas(ring: &Ring, token: i64, areas: &[(&str, usize)]) -> Vec<usize> {
    let mut replicas = vec![NodeIndex::new(7)];
    ring.replicas_by_area(position(token), areas, &mut replicas);
    replicas.into_iter().map(NodeIndex::get).collect()
}

#[test]
fn replicas_are_those_of_the_server() {
    let ring = ring(nodes());
    let two = [("dc1", 2), ("dc2", 2)];
    assert_eq!(replicas(&ring, 8_944_296_364_800_046_971, &two), [2, 3, 4]);
    assert_eq!(replicas(&ring, 1_479_133_510_468_863_017, &two), [1, 4, 3]);
    assert_eq!(replicas(&ring, 2_805_444_006_866_164_188, &two), [0, 4, 3]);
    let three = [("dc1", 3), ("dc2", 1)];
    assert_eq!(replicas(&ring, 8_944_296_364_800_046_971, &three), [2, 3, 4, 0]);
    assert_eq!(replicas(&ring, 1_479_133_510_468_863_017, &three), [1, 0, 4, 3]);
    assert_eq!(replicas(&ring, -5_537_453_591_594_372_827, &three), [2, 3, 0, 4]);
    assert_eq!(replicas(&ring, 8_944_296_364_800_046_971, &[("dc1", 4)]), [2, 3, 0, 1]);
    assert_eq!(replicas(&ring, 8_944_296_364_800_046_971, &[("dc2", 3)]), [4]);
}

#[test]
fn the_node_on_a_token_is_met_first() {
    let ring = ring(nodes());
    let two = [("dc1", 2), ("dc2", 2)];
    assert_eq!(replicas(&ring, -8_266_848_354_430_668_202, &two), [2, 3, 4]);
    assert_eq!(replicas(&ring, -7_342_276_384_364_697_239, &two), [3, 2, 4]);
}

#[test]
fn a_zone_is_a_rack_where_none_is_known_and_no_zone_a_rack_of_its_own() {
    let zoned = nodes().into_iter().zip(["r1", "r1", "r1", "r2", "rX"]).map(|(node, zone)| {
        let area = node.attributes.get(Attribute::DataCentre).unwrap();
        Node::new(node.id.clone()).with(Attribute::DataCentre, area).in_zone(zone)
    });
    let (racked, zoned) = (ring(nodes()), ring(zoned.collect()));
    let alone = nodes().into_iter().map(|node| {
        let area = node.attributes.get(Attribute::DataCentre).unwrap();
        Node::new(node.id.clone()).with(Attribute::DataCentre, area)
    });
    let alone = ring(alone.collect());
    for token in [8_944_296_364_800_046_971, 1_479_133_510_468_863_017] {
        let of = |ring| replicas(ring, token, &[("dc1", 3), ("dc2", 1)]);
        assert_eq!(of(&zoned), of(&racked));
        // The first three nodes met of dc1, whatever their racks.
        let mut met: Vec<usize> =
            racked.owners_from(position(token)).map(NodeIndex::get).filter(|&n| n != 4).collect();
        let mut seen = Vec::new();
        met.retain(|node| {
            !seen.contains(node) && {
                seen.push(*node);
                true
            }
        });
        assert_eq!(of(&alone).into_iter().filter(|&n| n != 4).collect::<Vec<_>>(), met[..3]);
    }
}

#[test]
fn an_area_that_nobody_is_in_and_a_drained_node_give_no_replica() {
    let mut drained = nodes();
    drained[3].weight = 0;
    let ring = ring(drained);
    assert_eq!(replicas(&ring, 8_944_296_364_800_046_971, &[("dc1", 9)]), [2, 0, 1]);
    assert_eq!(replicas(&ring, 8_944_296_364_800_046_971, &[("dc9", 2), ("dc2", 0)]), [0; 0]);
}

#[test]
fn of_an_area_given_twice_the_first_counts() {
    let ring = ring(nodes());
    let once = replicas(&ring, 8_944_296_364_800_046_971, &[("dc1", 3), ("dc2", 1)]);
    let twice = [("dc1", 3), ("dc2", 1), ("dc1", 4)];
    assert_eq!(replicas(&ring, 8_944_296_364_800_046_971, &twice), once);
    assert_eq!(replicas(&ring, 8_944_296_364_800_046_971, &[("dc1", 0), ("dc1", 4)]), [0; 0]);
}
