import * as v from 'valibot'
import { publishTerms, readTerms, type TermsVersion } from '../../events/contract/store/terms.ts'
import { type Terms, termsOf } from '../../events/contract/terms.ts'
import { PACKAGE_IDS, type PackageId } from '../../events/settings/prices.ts'
import type { Settings } from '../../events/settings/settings.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { type ApiNode, perNode } from '../node/node.ts'

/** The settings that terms are made of. */
type Basis = Pick<Settings, 'packages' | 'company'>

/** Publishes terms once per node, and returns their version from memory since then. */
const published = perNode((node) => {
  const versions = new Map<string, TermsVersion>()
  return async (terms: Terms) => {
    const key = JSON.stringify(terms)
    const known = versions.get(key) ?? (await publishTerms(node, terms))
    versions.set(key, known)
    return known
  }
})

/** The version of the terms of a package that is valid by some settings: the node's own ones by default. */
export const currentTerms = (
  node: ApiNode,
  packageId: PackageId,
  basis: Basis = node.settings.current,
): Promise<TermsVersion> => published(node)(termsOf(packageId, basis))

/** The versions of the terms by the tokens that contract pages name them with. */
export const termsTokens = async (node: ApiNode, basis: Basis): Promise<Record<string, string>> => {
  const tokens: Record<string, string> = {}
  for (const id of PACKAGE_IDS) {
    tokens[`TERMS_${id.toUpperCase()}`] = String((await currentTerms(node, id, basis)).version)
  }
  return tokens
}

const version = v.object({ version: v.number(), sha256: v.string() })

/** Anyone may read the terms of packages: the current versions, and the canonical text of each version. */
export const termsRoutes = [
  route('GET', '/api/contract-terms', {
    access: 'anyone',
    summary: 'The current version of the terms of each package, with the SHA-256 of its text',
    answer: v.object(v.entriesFromList(PACKAGE_IDS, version)),
    handler: async ({ node, c }) => {
      c.header('Cache-Control', 'no-cache')
      const versionOf = async (id: PackageId) => {
        const { version: number, sha256 } = await currentTerms(node, id)
        return { version: number, sha256 }
      }
      return {
        essential: await versionOf('essential'),
        professional: await versionOf('professional'),
        premium: await versionOf('premium'),
      }
    },
  }),
  route('GET', '/api/contract-terms/text', {
    access: 'anyone',
    summary: 'The canonical text of one version of the terms of a package, whose SHA-256 contracts name',
    query: v.object({
      package: v.picklist(PACKAGE_IDS, `One of ${PACKAGE_IDS.join(', ')}`),
      version: v.pipe(v.string(), v.regex(/^[1-9]\d{0,6}$/, 'A whole number'), v.transform(Number)),
    }),
    answer: { mediaType: 'application/json' },
    handler: async ({ node, c, query }) => {
      const known = await readTerms(node.sql, query.package, query.version)
      if (!known) throw new RequestError('not_found', 'There is no such version of these terms')
      return c.body(known.text, 200, { 'Content-Type': 'application/json' })
    },
  }),
]
