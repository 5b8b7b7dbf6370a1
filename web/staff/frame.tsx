export const Frame = () => null
