import { createDecipheriv, createECDH, createHash, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PushSubscription } from '../process/push.ts'

/** A device that can read its notifications: its browser's half of RFC 8291. */
export type TestDevice = PushSubscription & { open: (body: Buffer) => unknown }

const base64url = (bytes: Buffer) => bytes.toString('base64url')

/** A message in one record of aes128gcm (RFC 8188), encrypted for a device (RFC 8291, 3.4). */
const decrypt = (body: Buffer, device: ReturnType<typeof createECDH>, auth: Buffer): string => {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), device.getPublicKey(), senderKey])
  const secret = Buffer.from(hkdfSync('sha256', device.computeSecret(senderKey), auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}

/** Makes a device whose service is at an address. */
export const makeTestDevice = (endpoint: string): TestDevice => {
  const keyPair = createECDH('prime256v1')
  const publicKey = keyPair.generateKeys()
  const auth = randomBytes(16)
  return {
    endpoint,
    keys: { p256dh: base64url(publicKey), auth: base64url(auth) },
    open: (body) => JSON.parse(decrypt(body, keyPair, auth)),
  }
}

/**
 * A notification that the service received. `claims` are those of the site's token if its signature is valid; otherwise
 * undefined.
 */
export type TakenPush = {
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
  claims: { aud: string; exp: number; sub: string } | undefined
  publicKey: string
}

/** Checks the token by which a site names itself (RFC 8292): its signer has the key that the header names. */
const claimsOf = (authorization = ''): Pick<TakenPush, 'claims' | 'publicKey'> => {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), ?k=(\S+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(base64url)
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return { publicKey, claims: isSigned ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : undefined }
}

const readBody = async (request: IncomingMessage) => Buffer.concat(await request.toArray())

/** A test push service, as browsers use them; it responds with 201 unless a test sets another response. */
export const openTestPushService = async () => {
  const taken: TakenPush[] = []
  let answer = (_path: string, response: ServerResponse) => {
    response.writeHead(201).end()
  }
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request
    taken.push({ path, headers, body: await readBody(request), ...claimsOf(headers.authorization) })
    answer(path, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let devices = 0
  return {
    origin,
    taken,
    reply: (next: typeof answer) => {
      answer = next
    },
    device: () => {
      devices += 1
      return makeTestDevice(`${origin}/${createHash('sha256').update(String(devices)).digest('hex').slice(0, 12)}`)
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type TestPushService = Awaited<ReturnType<typeof openTestPushService>>
