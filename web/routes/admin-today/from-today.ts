import type { FromList } from '../../staff/leads/address.ts'

/** The way back from a lead. */
export const FROM_TODAY: FromList = { list: '/admin-today' }
