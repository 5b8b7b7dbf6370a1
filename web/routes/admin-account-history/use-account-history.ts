import { accountHistory } from '../../../events/staff/account-history-wire.ts'
import { useGetPages } from '../../staff/use-get.ts'

/** The events of the staff's accounts, newest first, page by page; for owners. */
export const useAccountHistory = () => useGetPages('/api/accounts/history', accountHistory, { poll: 'watched' })
