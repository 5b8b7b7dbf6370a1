import * as v from 'valibot'
import { emailAddress } from '../base/text.ts'
import { definePart } from './part.ts'

/** By this port a server expects TLS from the first byte (RFC 8314); by any other it has to offer it. */
export const TLS_PORT = 465
/** The port for programs that send email (RFC 6409). */
export const SUBMISSION_PORT = 587
const MAX_PORT = 65_535
const MAX_HOST_CHARACTERS = 253
const MAX_CREDENTIAL_CHARACTERS = 1_000

/** The host of a server as it is typed: a name or an address, without a scheme, path or port. */
const HOST = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?|[\da-f:]+:[\da-f:.]*)$/iu

const port = v.pipe(
  v.number('Enter a number'),
  v.integer('Enter a whole number'),
  v.minValue(1, 'Enter at least 1'),
  v.maxValue(MAX_PORT, `Enter at most ${MAX_PORT}`),
)

const credential = v.pipe(
  v.string(),
  v.maxLength(MAX_CREDENTIAL_CHARACTERS, `At most ${MAX_CREDENTIAL_CHARACTERS} characters`),
  v.regex(/^[^\p{Cc}]*$/u, 'Must be one line'),
)

/**
 * The mail server that an owner sets. Without a host there is none. `password` is null to leave the one that is set;
 * `from` is null to send as the agency.
 */
export const emailServerForm = v.strictObject({
  host: v.pipe(
    v.string(),
    v.trim(),
    v.toLowerCase(),
    v.maxLength(MAX_HOST_CHARACTERS, `At most ${MAX_HOST_CHARACTERS} characters`),
    v.check((host) => host === '' || HOST.test(host), 'Enter the name of the server alone, such as smtp.example.com'),
  ),
  port,
  username: v.pipe(credential, v.trim()),
  password: v.nullable(credential),
  from: v.nullable(emailAddress('Please enter a valid email address')),
})

export type EmailServerForm = v.InferOutput<typeof emailServerForm>

/** A mail server; `passwordId` names its password, which is stored elsewhere, encrypted. */
const emailServer = v.object({
  host: v.string(),
  port: v.number(),
  username: v.string(),
  passwordId: v.nullable(v.pipe(v.string(), v.uuid())),
  from: v.nullable(v.string()),
})

export type EmailServer = v.InferOutput<typeof emailServer>

export const emailServerPart = definePart({
  name: 'email',
  summary: 'Sets the mail server',
  type: 'EmailServerChanged',
  form: emailServerForm,
  stored: { server: v.nullable(emailServer) },
  apply: ({ server }): EmailServer | null => server,
  initial: null,
  isConfirmed: true,
})

/** As the API returns it: never with the password. */
export const emailServerWire = v.nullable(
  v.object({
    host: v.string(),
    port: v.number(),
    username: v.string(),
    hasPassword: v.boolean(),
    from: v.nullable(v.string()),
  }),
)
