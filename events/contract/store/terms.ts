import { createHash } from 'node:crypto'
import type { Appender } from '../../log/append.ts'
import { handle } from '../../log/handle.ts'
import { type Queryable, readStream } from '../../log/read.ts'
import { runWith, systemContext } from '../../process/context.ts'
import type { PackageId } from '../../settings/prices.ts'
import type { Sql } from '../../stores/connection.ts'
import { canonicalText, type Terms, termsPublished, termsStreams } from '../terms.ts'

/** SHA-256 in hexadecimal. */
export const sha256Of = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

/** One version of the terms of a package. */
export type TermsVersion = { version: number; sha256: string; text: string; terms: Terms }

const versionOf = (version: number, { text, sha256 }: { text: string; sha256: string }): TermsVersion => ({
  version,
  sha256,
  text,
  terms: JSON.parse(text),
})

/** The version of these terms, which is published if there is none. Terms that were valid before get their old one. */
export const publishTerms = async (
  { sql, log }: { sql: Sql; log: Pick<Appender, 'append'> },
  terms: Terms,
): Promise<TermsVersion> => {
  const text = canonicalText(terms)
  const sha256 = sha256Of(text)
  const stream = termsStreams.of(terms.package)
  const { known, appended } = await runWith(systemContext('terms'), () =>
    handle(log, {
      read: async () => {
        const published = await readStream(sql, stream)
        return { stream, version: published.length, same: published.find(({ data }) => data.sha256 === sha256) }
      },
      decide: ({ same }) => (same ? undefined : termsPublished({ text, sha256 })),
    }),
  )
  const version = known.same?.version ?? appended?.version
  if (version === undefined) throw new Error(`The log has no version of the terms of ${terms.package}`)
  return versionOf(version, { text, sha256 })
}

/** A published version of the terms of a package; undefined if there is none. */
export const readTerms = async (
  sql: Queryable,
  packageId: PackageId,
  version: number,
): Promise<TermsVersion | undefined> => {
  const [event] = await readStream(sql, termsStreams.of(packageId), { after: version - 1, limit: 1 })
  return event && versionOf(event.version, event.data)
}
