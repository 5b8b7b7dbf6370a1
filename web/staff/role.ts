import type { StaffRole } from '../../events/staff/staff.ts'

/** What the roles are called. */
export const ROLE_NAMES: Record<StaffRole, string> = { owner: 'Owner', agent: 'Agent' }
