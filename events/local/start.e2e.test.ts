import { expect, test } from 'vitest'
import { openTestStarts } from '../testing/start.ts'
import { freePort } from './port.ts'

test.runIf(process.platform === 'linux')(
  'serves, shares its folder with no second one, stops on Ctrl-C with nothing left, finds its data again, and leaves nothing when it is killed',
  async () => {
    const { site, start, running, signIn, untilNothingRuns } = await openTestStarts()
    const first = start()
    await first.untilRunning()
    expect((await fetch(`${site}/readyz`)).status).toBe(200)
    // another address of this machine, which only this machine should reach
    await expect(fetch(`${site.replace('localhost', '127.0.0.2')}/readyz`)).rejects.toThrow()
    const password = /password (\S+)/.exec(first.output.stdout)?.[1] ?? ''
    expect(await signIn(password)).toBe(204)
    const second = start({ PORT: String(await freePort()) })
    expect(await second.exit).toEqual([1, null])
    expect(second.output.stderr).toMatch(/^DATA_DIR: .* in use by a running instance.*\n$/)
    // not even a warning that the product's user owns the database
    expect(first.output.stderr).toBe('')

    first.child.kill('SIGINT')
    expect(await first.exit).toEqual([0, null])
    expect(running()).toEqual([])
    await untilNothingRuns()

    const third = start()
    await third.untilRunning()
    expect(third.output.stdout).not.toContain('password')
    expect(await signIn(password)).toBe(204)
    expect(running().length).toBeGreaterThan(4)
    third.child.kill('SIGKILL')
    await untilNothingRuns()
  },
)

test.each([
  ['PORT', 'abc', /^PORT cannot be used: expected a whole number from 1 to 65535\n$/],
  ['DATABASE_URL', 'nonsense', /^DATABASE_URL cannot be used: expected an address such as .*\n$/],
  ['DATA_DIR', '/proc/nowhere', /^DATA_DIR: cannot write to \/proc\/nowhere .*\n$/],
])('names an unusable %s in one line', async (name, value, line) => {
  const { start } = await openTestStarts()
  const refused = start({ [name]: value })
  expect(await refused.exit).toEqual([1, null])
  expect(refused.output.stderr).toMatch(line)
})
