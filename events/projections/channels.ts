/** The channel of the bus on which a worker tells that the leads view has changed. Its messages say nothing more. */
export const LEADS_CHANNEL = 'view:leads'
