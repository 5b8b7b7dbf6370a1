import { publicHours } from '../../events/settings/support-hours-wire.ts'
import { get } from './get.ts'

/** Loads the hours that the agency keeps now, and whether an email can reach a visitor. */
export const loadSupportHours = (options?: { signal: AbortSignal }) => get('/api/support-hours', publicHours, options)
