import { today } from '../../../events/lead/today-wire.ts'
import { useAfterLeadChanges } from '../../staff/leads/after-changes.ts'
import { useGet } from '../../staff/use-get.ts'

/**
 * The tasks that staff have now: fetched again soon after a lead has changed, in quarantine too, and polled for chats
 * and emails, which are not in the stream of leads.
 */
export const useToday = () => {
  const { data, error, mutate } = useGet('/api/today', today, { poll: 'watched', revalidateIfStale: true })
  useAfterLeadChanges(() => mutate(), { hasQuarantine: true })
  return { data, error, refresh: () => mutate() }
}
