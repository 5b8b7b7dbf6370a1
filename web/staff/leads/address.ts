const LEAD_PATH = '/admin-lead'

export const leadAddress = (id: string) => `${LEAD_PATH}?id=${encodeURIComponent(id)}`

export const isLeadPath = (pathname: string) => pathname === LEAD_PATH

/** The part of a lead's screen in which staff reply; as the address's hash it opens the email there. */
export const ANSWER_PANEL = 'answer'

/** The field for notes; as the address's hash it gets the focus. */
export const NOTE_FIELD = 'note'

/** The address at which staff write a note about a lead. */
export const noteAddress = (id: string) => `${leadAddress(id)}#${NOTE_FIELD}`

/** The address at which staff write an email to the person of a lead. */
export const answerAddress = (id: string) => `${leadAddress(id)}#${ANSWER_PANEL}`

/** The state with which the dashboard opens the form of a new lead. */
export const ADDING = { isAdding: true }

/**
 * The state that a link to a lead stores, for the way back to the list as it was; `at` is the list's place in the
 * history, `ids` are the leads that it showed, in its order.
 */
export type FromList = { list: string; at?: number; ids?: readonly string[] }

/** The position of this page in the history, as the router counts. */
export const placeInHistory = (): number => history.state?.idx ?? 0

/** The list from which the staff member came to a lead; the dashboard if that is not known. */
export const listAddress = (state: FromList | null) => state?.list ?? '/admin-dashboard'
