/**
 * The load before a round that does not count, in milliseconds: while its peers are measured a node becomes idle, and keeps
 * to little memory until it has been under load for a second (`api/process/heap.ts`).
 */
export const LEAD_IN_MS = 1_500

/**
 * Measures peers in turn, round after round (A B C A B C …), so that a noisy machine affects all of them alike. The
 * first round warms up and does not count, unless each round begins from nothing. Returns the rounds of each peer, in
 * the peers' order.
 */
export const interleaved = async <Peer, Round>(
  peers: readonly Peer[],
  rounds: number,
  measure: (peer: Peer) => Promise<Round>,
  { warmsUp = true }: { warmsUp?: boolean } = {},
): Promise<Round[][]> => {
  const measured: Round[][] = peers.map(() => [])
  for (let round = warmsUp ? -1 : 0; round < rounds; round += 1) {
    for (const [index, peer] of peers.entries()) {
      const result = await measure(peer)
      if (round >= 0) measured[index]?.push(result)
    }
  }
  return measured
}

/** One figure of all rounds of all peers, by the peers' names. */
export const seriesOf = <Round, Figure>(
  names: readonly string[],
  measured: readonly Round[][],
  figure: (round: Round) => Figure,
): Record<string, Figure[]> =>
  Object.fromEntries(names.map((name, index) => [name, (measured[index] ?? []).map(figure)]))
