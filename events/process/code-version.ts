import process from 'node:process'
import manifest from '../../package.json' with { type: 'json' }

/** A commit in CODE_COMMIT: its hash, whole or shortened. */
export const COMMIT = /^[0-9a-f]{7,64}$/

const versionOf = (version: string, commit = '') => (COMMIT.test(commit) ? `${version}+${commit}` : version)

/** The version of this code: that of package.json, with the commit if the environment names it (`1.0.0+3f2a9c1`). */
export const CODE_VERSION = versionOf(manifest.version, process.env.CODE_COMMIT)
