import type { StaffRole } from '../../../events/staff/staff.ts'

/** The labels of the roles. */
export const ROLE_NAMES: Record<StaffRole, string> = { owner: 'Admin', agent: 'Member' }
