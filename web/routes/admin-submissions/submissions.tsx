export const Submissions = () => null
