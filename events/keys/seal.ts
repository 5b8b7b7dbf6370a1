import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import { CIPHER, type DataKey, KeyError, NONCE_BYTES, TAG_BYTES } from './key-ring.ts'

/** A keyed hash, truncated so it cannot be extended. */
const nonceOf = (key: string, name: string, content: string | Buffer) => {
  const hashed =
    typeof content === 'string' ? `${key}${name}\n${content}` : Buffer.concat([Buffer.from(`${key}${name}\n`), content])
  // as text: a buffer of its own costs more than the hash
  return Buffer.from(hash('sha256', hashed, 'hex').slice(0, 2 * NONCE_BYTES), 'hex')
}

/**
 * Encrypts text or bytes for a data subject: nonce, ciphertext, tag. `name` identifies the content, such as an event's
 * id: a ciphertext that is moved elsewhere does not decrypt there. The nonce comes from the name and the text (as in
 * RFC 8452), so the same content under the same name gives the same bytes: this is how a repeated append is recognised.
 */
export const seal = ({ cipher: secret, nonce: nonceKey }: DataKey, name: string, content: string | Buffer): Buffer => {
  const nonce = nonceOf(nonceKey, name, content)
  const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(Buffer.from(name))
  const sealed = typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content)
  cipher.final()
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()])
}

/** Decrypts bytes that `seal` encrypted under the same name. Throws a KeyError if the key or the name does not fit. */
export const unsealBytes = ({ cipher: secret }: DataKey, name: string, sealed: Buffer): Buffer<ArrayBuffer> => {
  try {
    const decipher = createDecipheriv(CIPHER, secret, sealed.subarray(0, NONCE_BYTES))
    decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(-TAG_BYTES))
    const content = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
    decipher.final()
    return content
  } catch (cause) {
    throw new KeyError(`The data key does not open ${name}: one of them was changed`, { cause })
  }
}

/** Decrypts text that `seal` encrypted under the same name. Throws as `unsealBytes`. */
export const unseal = (key: DataKey, name: string, sealed: Buffer): string =>
  unsealBytes(key, name, sealed).toString('utf8')
