import { readServerPassword } from '../../events/email/store/server-password.ts'
import { TLS_PORT } from '../../events/settings/email-server.ts'
import type { LiveSettings } from '../../events/settings/store/live-settings.ts'
import type { Sql } from '../../events/stores/connection.ts'
import type { Config } from '../process/config.ts'
import type { SmtpServer } from './smtp.ts'

/** The variables of the ways out for email, and the settings that replace those that are not set. */
export type WaysOut = { config: Config; settings: Pick<LiveSettings, 'current'> }

/** The part of them by which emails are assigned to lanes. */
export type LaneWays = Pick<WaysOut, 'settings'> & {
  config: Pick<Config, 'emailForwardUrl' | 'smtpUrl' | 'emailLanes'>
}

/** Whether there is a mail server: that of SMTP_URL, or else that of the settings. */
export const hasServer = ({
  config,
  settings,
}: {
  config: Pick<Config, 'smtpUrl'>
  settings: WaysOut['settings']
}): boolean => config.smtpUrl !== undefined || settings.current.emailServer !== null

/** The address of a server of the settings, as SMTP_URL would give it. */
const urlOf = ({ host, port, username }: { host: string; port: number; username: string }, password: string) => {
  const credentials = username && `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`
  return `${port === TLS_PORT ? 'smtps' : 'smtp'}://${credentials}${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * The mail server: that of SMTP_URL, or else that of the settings, which may only be on the internet. Undefined if
 * there is none; `lost` if its password cannot be read.
 */
export const readServer = async (sql: Sql, { config, settings }: WaysOut): Promise<SmtpServer | 'lost' | undefined> => {
  const { smtpUrl, emailFrom, agencyEmail, agencyName: name, pushTestOrigins: testOrigins } = config
  if (smtpUrl !== undefined) return { url: smtpUrl, from: { name, address: emailFrom ?? agencyEmail } }
  const { emailServer: server } = settings.current
  if (!server) return undefined
  const { passwordId } = server
  const password = passwordId === null ? '' : sql.keys && (await readServerPassword(sql, sql.keys.ring, passwordId))
  if (password === undefined) return 'lost'
  return {
    url: urlOf(server, password),
    from: { name, address: emailFrom ?? server.from ?? agencyEmail },
    isOutside: { testOrigins },
  }
}
