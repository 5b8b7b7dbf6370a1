import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const HEADER_BYTES = 12
const TYPE_A = 1

/** The name in a query, and the end of its question. */
const questionOf = (query: Buffer) => {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

const answerTo = (query: Buffer, addresses: readonly string[]) => {
  const { type, end } = questionOf(query)
  const records = (type === TYPE_A ? addresses : []).map((address) =>
    Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])
  return Buffer.concat([head, query.subarray(HEADER_BYTES, end), ...records])
}

/**
 * A test name server: it knows IPv4 addresses by name, and does not respond about an unknown name. For `silentOnIpv6`
 * it responds only about IPv4.
 */
export const openNameServer = async (
  known: Readonly<Record<string, readonly string[]>>,
  { silentOnIpv6 = [] }: { silentOnIpv6?: readonly string[] } = {},
) => {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type } = questionOf(query)
    const addresses = known[name]
    if (addresses && (type === TYPE_A || !silentOnIpv6.includes(name)))
      socket.send(answerTo(query, addresses), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}
