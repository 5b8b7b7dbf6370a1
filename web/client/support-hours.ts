import { publicHours } from '../../events/settings/support-hours-wire.ts'
import { get } from './get.ts'

/** Loads the agency's current support hours, and whether an email can reach a visitor. */
export const loadSupportHours = (options?: { signal: AbortSignal }) => get('/api/support-hours', publicHours, options)
