import { expect, test } from 'vitest'
import { acceptPassword } from './accepted-password.ts'

const NAMES = { username: 'thandi.nkosi', agencyName: 'Karoo Web Studio' }

test.each(['password', 'Password1', '12345678', 'qwertyuiop', 'ILOVEYOU', ' sunshine ', 'trustno1', '13101988'])(
  'the common password %s is refused',
  (password) => {
    expect(() => acceptPassword(password, NAMES)).toThrow('This is one of the most common passwords: choose another')
  },
)

test.each([
  'thandi.nkosi',
  'ThandiNkosi',
  'thandi.nkosi2026',
  'Karoo Web Studio',
  'karoowebstudio',
  'karoo-web-studio-2026!',
])('the name %s is refused', (password) => {
  expect(() => acceptPassword(password, NAMES)).toThrow('Must not be the username or the agency’s name')
})

test.each(['a long enough password', 'thandi.nkosi and the goats', 'password of a goat', 'try-out-only', '00000000-x'])(
  'the password %s is accepted unchanged',
  (password) => {
    expect(acceptPassword(password, NAMES)).toBe(password)
  },
)
