import type { StaffRole } from '../../../events/staff/staff.ts'

export const ROLE_NAMES: Record<StaffRole, string> = { owner: 'Admin', agent: 'Member' }
