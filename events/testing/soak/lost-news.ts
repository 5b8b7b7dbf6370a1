const LINE_END = '\r\n'

/** The end of a reply of Redis that begins at `from`, in its protocol (RESP); undefined if it is not complete yet. */
const endOfReply = (bytes: Buffer, from: number): number | undefined => {
  const lineEnd = bytes.indexOf(LINE_END, from)
  if (lineEnd < 0) return undefined
  const next = lineEnd + LINE_END.length
  const size = Number(bytes.toString('latin1', from + 1, lineEnd))
  switch (String.fromCharCode(bytes[from] ?? 0)) {
    case '$': {
      const end = size < 0 ? next : next + size + LINE_END.length
      return end <= bytes.length ? end : undefined
    }
    case '*':
    case '>': {
      let end: number | undefined = next
      for (let member = 0; member < size && end !== undefined; member += 1) end = endOfReply(bytes, end)
      return end
    }
    default:
      return next
  }
}

const MESSAGE = /^[*>]3\r\n\$7\r\nmessage\r\n/

/**
 * Filters the replies of one connection to Redis: all pass but the published messages for which `isLost` returns true.
 * A part that the network cuts in two waits for its rest.
 */
export const loseNews = (isLost: () => boolean) => {
  let rest = Buffer.alloc(0)
  return (chunk: Buffer): Buffer => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const passing: Buffer[] = []
    let from = 0
    for (let end = endOfReply(bytes, from); end !== undefined; end = endOfReply(bytes, from)) {
      const reply = bytes.subarray(from, end)
      if (!(MESSAGE.test(reply.toString('latin1', 0, 20)) && isLost())) passing.push(reply)
      from = end
    }
    rest = Buffer.from(bytes.subarray(from))
    return Buffer.concat(passing)
  }
}
