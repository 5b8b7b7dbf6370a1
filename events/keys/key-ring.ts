import { createCipheriv, createDecipheriv, createHash, createSecretKey, type KeyObject } from 'node:crypto'
import { PlainError } from '../base/plain-error.ts'
import { KeyStoreError, LogIntegrityError } from './errors.ts'
import { freshBytes } from './fresh-bytes.ts'

/** AES-256 in Galois/Counter Mode (NIST SP 800-38D), with a nonce of 12 bytes and a tag of 16. */
export const CIPHER = 'aes-256-gcm'
export const NONCE_BYTES = 12
export const TAG_BYTES = 16

const KEY_BYTES = 32
const ID_CHARACTERS = 8

/** A key of DATA_KEY. `id` is the beginning of its SHA-256: it names the key and reveals nothing about it. */
type RingKey = { id: string; secret: KeyObject }

/** The keys that wrap data keys: the active one for new data keys, and all by id for those that were wrapped before. */
export type KeyRing = { active: RingKey; byId: ReadonlyMap<string, RingKey> }

/** The key of one data subject: `cipher` encrypts, `nonce` derives nonces. Two halves, to give each key one use. */
export type DataKey = { cipher: KeyObject; nonce: string }

/** A data key as it is stored: encrypted with the key of the ring that has this id. */
export type WrappedKey = { wrapped: Buffer; ringKey: string }

/** A data key cannot be unwrapped or does not decrypt the data: the wrong DATA_KEY, or a row that was changed. */
export class KeyError extends PlainError {
  override name = 'KeyError'
}

/**
 * Whether an event cannot be read yet, or not here: its key or the database of keys is missing, or its type is newer.
 */
export const isUnreadable = (error: unknown): error is Error =>
  error instanceof KeyError || error instanceof KeyStoreError || error instanceof LogIntegrityError

const decodeKey = (text: string): Buffer | undefined => {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  return bytes.length === KEY_BYTES ? bytes : undefined
}

const ringKeyOf = (bytes: Buffer): RingKey => ({
  id: createHash('sha256').update(bytes).digest('hex').slice(0, ID_CHARACTERS),
  secret: createSecretKey(bytes),
})

/**
 * Parses DATA_KEY: one or more keys of 32 bytes, in base64 or hexadecimal, separated by commas. The first is the active
 * one. Returns undefined if the text is invalid.
 */
export const parseKeyRing = (text: string): KeyRing | undefined => {
  const keys = text.split(',').map((part) => decodeKey(part.trim()))
  const [active, ...older] = keys.flatMap((bytes) => (bytes ? [ringKeyOf(bytes)] : []))
  if (!active || older.length + 1 < keys.length) return undefined
  return { active, byId: new Map([active, ...older].map((key) => [key.id, key])) }
}

const HALF_BYTES = 32

const dataKeyOf = (bytes: Buffer): DataKey => ({
  cipher: createSecretKey(bytes.subarray(0, HALF_BYTES)),
  nonce: bytes.toString('base64', HALF_BYTES),
})

const wrap = ({ id, secret }: RingKey, subjectId: string, bytes: Buffer): WrappedKey => {
  const nonce = freshBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(Buffer.from(subjectId))
  const sealed = cipher.update(bytes)
  cipher.final()
  return { wrapped: Buffer.concat([nonce, sealed, cipher.getAuthTag()]), ringKey: id }
}

const unwrapBytes = (ring: KeyRing, subjectId: string, { wrapped, ringKey }: WrappedKey): Buffer => {
  const key = ring.byId.get(ringKey)
  if (!key) throw new KeyError(`DATA_KEY lacks the key ${ringKey}, with which data key ${subjectId} is wrapped`)
  try {
    const decipher = createDecipheriv(CIPHER, key.secret, wrapped.subarray(0, NONCE_BYTES))
    decipher.setAAD(Buffer.from(subjectId)).setAuthTag(wrapped.subarray(-TAG_BYTES))
    const bytes = decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES))
    decipher.final()
    return bytes
  } catch (cause) {
    throw new KeyError(`The data key ${subjectId} was not wrapped by key ${ringKey} of DATA_KEY, or was changed`, {
      cause,
    })
  }
}

/** Makes a data key for a subject, wrapped by the active key. */
export const makeDataKey = (ring: KeyRing, subjectId: string): WrappedKey & { key: DataKey } => {
  const bytes = freshBytes(2 * HALF_BYTES)
  return { ...wrap(ring.active, subjectId, bytes), key: dataKeyOf(bytes) }
}

/** Unwraps a subject's data key. Throws a KeyError if it does not fit. */
export const unwrap = (ring: KeyRing, subjectId: string, wrapped: WrappedKey): DataKey =>
  dataKeyOf(unwrapBytes(ring, subjectId, wrapped))

/** Encrypts one of the product's own secrets, named by `name`, with the active key. */
export const sealSecret = (ring: KeyRing, name: string, bytes: Buffer): WrappedKey => wrap(ring.active, name, bytes)

/** Decrypts such a secret. Throws a KeyError if the key does not fit. */
export const openSecret = (ring: KeyRing, name: string, sealed: WrappedKey): Buffer => unwrapBytes(ring, name, sealed)

/** The same data key, wrapped by the active key. */
export const rewrap = (ring: KeyRing, subjectId: string, wrapped: WrappedKey): WrappedKey =>
  wrap(ring.active, subjectId, unwrapBytes(ring, subjectId, wrapped))
