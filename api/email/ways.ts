import type { ApiNode } from '../node/node.ts'

/** The configuration and settings that say how email goes out. */
type Ways = {
  config: Pick<ApiNode['config'], 'sendsEmail' | 'reachesPeople'>
  settings: Pick<ApiNode['settings'], 'current'>
}

/**
 * Whether email is sent at all or stored in the local outbox, and whether it reaches people besides the agency: by the
 * variables, or by the mail server of the settings. Undefined if only the workers have the variables.
 */
export const waysOf = ({ config, settings }: Ways) => {
  const hasServer = settings.current.emailServer !== null
  return { sendsEmail: hasServer || config.sendsEmail, reachesPeople: hasServer || config.reachesPeople }
}
