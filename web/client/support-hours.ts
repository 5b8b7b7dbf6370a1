import { publicHours } from '../../events/settings/support-hours-wire.ts'
import { get } from './get.ts'

/** Loads the current support hours of the agency, and whether the site can send emails to visitors. */
export const loadSupportHours = (options?: { signal: AbortSignal }) => get('/api/support-hours', publicHours, options)
