import { childEnvironment } from './child-environment';

test('a child gets what the machine asks for and what is named, and no secret', () => {
  const parents = { PATH: '/bin', AWS_SECRET_ACCESS_KEY: 's', MASTER_KEY: 'm', PORT: '1', TZ: undefined };
  expect(childEnvironment(parents)).toEqual({ PATH: '/bin' });
  expect(childEnvironment(parents, ['PORT', 'HOST'])).toEqual({ PATH: '/bin', PORT: '1' });
});
