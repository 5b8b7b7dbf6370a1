import { publicHours } from '../events/wire/support-hours.ts'
import { loader } from './load.ts'

const load = loader(publicHours)

/** Loads the hours that the agency keeps now, and whether an email can reach a visitor. */
export const loadSupportHours = (options?: { signal: AbortSignal }) => load('/api/support-hours', options)
