import { expect, test } from 'vitest'
import { readStartConfig } from './start-config.ts'

test.each<[env: Record<string, string>, address: string]>([
  [{}, '127.0.0.1'],
  [{ PUBLIC_URL: 'http://localhost:3000' }, '127.0.0.1'],
  [{ PUBLIC_URL: 'https://www.example.com' }, ''],
  [{ PUBLIC_URL: 'http://192.168.1.5:3000' }, ''],
  [{ LISTEN_ADDRESS: '0.0.0.0' }, '0.0.0.0'],
  [{ LISTEN_ADDRESS: '127.0.0.1', PUBLIC_URL: 'https://www.example.com' }, '127.0.0.1'],
])('with %j npm start listens on %j', (env, address) => {
  expect(readStartConfig(env).listenAddress).toBe(address)
})
