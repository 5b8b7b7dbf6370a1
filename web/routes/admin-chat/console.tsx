export const Console = () => null
