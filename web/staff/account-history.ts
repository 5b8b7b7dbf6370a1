import { accountHistory } from '../../events/wire/account-history.ts'
import { usePageList } from './page-list.ts'

/** This list is watched to see somebody come in. */
const REFRESH_INTERVAL_MS = 5_000

/** What has happened with the staff's accounts, newest first, page by page; for owners. Fetched again every 5 s. */
export const useAccountHistory = () =>
  usePageList('/api/accounts/history', accountHistory, { refreshInterval: REFRESH_INTERVAL_MS, revalidateAll: true })
