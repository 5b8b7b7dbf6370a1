import type { FromList } from '../../staff/leads/address.ts'

export const FROM_TODAY: FromList = { list: '/admin-today' }
