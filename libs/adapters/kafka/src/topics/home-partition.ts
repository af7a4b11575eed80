const SEED = 0x9747b28c;
const MIX = 0x5bd1e995;

/**
 * The partition of a key, as every Kafka client chooses it (murmur2 of the bytes, without the sign). The relay
 * chooses by itself, and not by what the cluster says: a topic that is given more partitions would move its
 * keys, and their order with them.
 */
export function homePartition(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
}

function murmur2(bytes: Buffer): number {
  const whole = bytes.length & ~3;
  let hash = SEED ^ bytes.length;
  for (let at = 0; at < whole; at += 4) {
    let word = Math.imul(bytes.readInt32LE(at), MIX);
    word ^= word >>> 24;
    hash = Math.imul(hash, MIX) ^ Math.imul(word, MIX);
  }
  if (bytes.length > whole) {
    for (let at = bytes.length - 1; at >= whole; at -= 1) {
      hash ^= (bytes[at] as number) << (8 * (at - whole));
    }
    hash = Math.imul(hash, MIX);
  }
  hash = Math.imul(hash ^ (hash >>> 13), MIX);
  return hash ^ (hash >>> 15);
}
