import type { FromList } from '../../staff/leads/address.ts'

/** The state for the way back from a lead. */
export const FROM_TODAY: FromList = { list: '/admin-today' }
