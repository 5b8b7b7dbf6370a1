import { expect, test, vi } from 'vitest'

const versionWith = async (commit: string) => {
  vi.resetModules()
  vi.stubEnv('CODE_COMMIT', commit)
  const { CODE_VERSION } = await import('./code-version.ts')
  vi.unstubAllEnvs()
  return CODE_VERSION
}

test('the version of the code is that of the package, with the commit if it is known', async () => {
  const plain = await versionWith('')
  expect(plain).toMatch(/^\d+\.\d+\.\d+$/)
  expect(await versionWith('3f2a9c1')).toBe(`${plain}+3f2a9c1`)
  expect(await versionWith('no commit')).toBe(plain)
})
