import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import { CIPHER, type DataKey, KeyError, NONCE_BYTES, TAG_BYTES } from './key-ring.ts'

/** A keyed hash. It is cut, so that nobody can extend it. */
const nonceOf = (key: string, name: string, text: string) =>
  hash('sha256', `${key}${name}\n${text}`, 'buffer').subarray(0, NONCE_BYTES)

/**
 * Encrypts text for a data subject: nonce, ciphertext, tag. `name` says what it is, such as an event's id: a ciphertext
 * that is moved elsewhere does not open there. The nonce comes from the name and the text (as in RFC 8452), so that the
 * same text under the same name gives the same bytes: a repeated append is known by them.
 */
export const seal = ({ cipher: secret, nonce: nonceKey }: DataKey, name: string, text: string): Buffer => {
  const nonce = nonceOf(nonceKey, name, text)
  const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(Buffer.from(name))
  const sealed = cipher.update(text, 'utf8')
  cipher.final()
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()])
}

/** Decrypts what `seal` made under the same name. Throws a KeyError where the key or the name does not fit. */
export const unseal = ({ cipher: secret }: DataKey, name: string, sealed: Buffer): string => {
  try {
    const decipher = createDecipheriv(CIPHER, secret, sealed.subarray(0, NONCE_BYTES))
    decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(-TAG_BYTES))
    const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)).toString('utf8')
    decipher.final()
    return text
  } catch (cause) {
    throw new KeyError(`The data key does not open ${name}: one of them was changed`, { cause })
  }
}
