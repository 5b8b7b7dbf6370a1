import type { Lead } from '../../../events/lead.ts'

/** Whether the person behind a lead has been erased: every form asks for an e-mail address and a number. */
export const isErased = ({ email, phone }: Pick<Lead, 'email' | 'phone'>) => !email && !phone
